#!/usr/bin/env bash
# Tests pictures through the program: sizes, reproducible bytes, the choice of frames, refusals. Without libembree-dev
# or libpng-dev at build time, the message must name them.
. "$(dirname "$0")/../prelude.sh"
skinbench=$1
cd "$folder"

# size FILE: width and height as the header of a PNG file has them
size() {
    od -An -tu1 -j16 -N8 "$1" | awk '{print $1*16777216+$2*65536+$3*256+$4, $5*16777216+$6*65536+$7*256+$8}'
}
bar=(--set around=12 --set along=13 --set motion=bend-120 --set frames=5)
"$skinbench" generate bar "${bar[@]}" -o bar.h5
quick=(--size 80x60 --samples 1 --quiet)
code=0
"$skinbench" render bar.h5 "${quick[@]}" -o bar.png 2>err || code=$?
if [ $code = 4 ]; then
    grep -q 'libembree-dev and libpng-dev' err || fail "$(cat err)"
    [ ! -e bar.png ] || fail "a picture was written without libraries"
    echo "SKIPPED: built without libembree-dev and libpng-dev"
    exit 77
fi
[ $code = 0 ] || fail "exit code $code: $(cat err)"
for method in lbs dqs; do
    "$skinbench" skin bar.h5 --method $method --backend reference -o $method.h5 --quiet
done
cp lbs.h5 $'odd \e[31m name.h5'

# Each file's picture has its width, labels and scale only add height.
read -r width height <<<"$(size bar.png)"
[ "$width" = 80 ] && [ "$height" -gt 60 ] || fail "one file: $width x $height"
"$skinbench" render lbs.h5 dqs.h5 $'odd \e[31m name.h5' --target lbs.h5 "${quick[@]}" -o three.png
read -r width taller <<<"$(size three.png)"
[ "$width" = 240 ] && [ "$taller" -gt "$height" ] || fail "three files: $width x $taller"
"$skinbench" render dqs.h5 "${quick[@]}" --sheet 3x2 -o sheet.png
[ "$(size sheet.png)" = "240 $((2 * height))" ] || fail "a sheet: $(size sheet.png), one cell is $height high"

# What only travels looks the same to a camera that follows.
mkdir travel
for frame in 0 1 2; do
    awk -v by=$((frame * 16)) 'BEGIN { for (i = 0; i < 8; i++) print "v", i % 2 + by, int(i / 2) % 2, int(i / 4) - by
        print "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6" }' >travel/$frame.obj
done
"$skinbench" import travel -o travel.h5
"$skinbench" render travel.h5 "${quick[@]}" --label box --frames 0:2 -o left
"$skinbench" render travel.h5 "${quick[@]}" --label box --frames 0:2 --follow -o followed
cmp -s left/0000.png left/0002.png && fail "a box that travels stays in one place"
cmp followed/0000.png followed/0002.png || fail "a box that only travels does not look the same to a camera that follows"

# The same again is the same bytes, whatever the number of threads.
"$skinbench" render lbs.h5 dqs.h5 $'odd \e[31m name.h5' --target lbs.h5 "${quick[@]}" --threads 1 -o again.png
cmp three.png again.png || fail "two pictures of the same differ"

# LBS and DQS differ most where the bar is bent most, by what `measure` finds.
"$skinbench" render dqs.h5 --target lbs.h5 "${quick[@]}" --json -o error.png >out
grep -q '"frames":\[4\]' out || fail "the frame with the greatest error: $(cat out)"
shown=$(sed 's/.*"greatest_error_percent":\([0-9.e-]*\).*/\1/' out)
measured=$("$skinbench" measure lbs.h5 dqs.h5 | awk '/greatest distance/ {print 100 * $3}')
awk -v a="$shown" -v b="$measured" 'BEGIN {exit !(a > 1 && (a - b) ^ 2 < (1e-4 * b) ^ 2)}' || fail "greatest error: $shown, measured $measured"

# A folder holds the frames that were asked for, each as if it stood alone under the same camera.
"$skinbench" render dqs.h5 "${quick[@]}" --frames 0:4:2 --camera "0,0,30 0,0,0 30" -o frames
[ "$(echo frames/*)" = "frames/0000.png frames/0002.png frames/0004.png" ] || fail "a folder: $(ls frames)"
"$skinbench" render dqs.h5 "${quick[@]}" --frame 2 --camera "0,0,30 0,0,0 30" -o alone.png
cmp frames/0002.png alone.png && fail "the ground of all frames is not that of one"
"$skinbench" render dqs.h5 "${quick[@]}" --frames 0:4:2 --camera "0,0,30 0,0,0 30" --no-ground -o bare
"$skinbench" render dqs.h5 "${quick[@]}" --frame 2 --camera "0,0,30 0,0,0 30" --no-ground -o alone.png
cmp bare/0002.png alone.png || fail "a frame of several differs from the same alone"
"$skinbench" render bar.h5 --color bones "${quick[@]}" -o bones.png
cmp -s bones.png bar.png && fail "bones have no colours"

# What is refused, before anything is written.
"$skinbench" generate walk --set vertices=1000 --set frames=5 -o walk.h5
"$skinbench" generate jelly --set around=8 --set along=9 --set frames=5 -o jelly.h5
refused 3 'missing.h5' "$skinbench" render missing.h5 -o new.png
refused 3 'missing.h5' "$skinbench" render dqs.h5 --target missing.h5 -o new.png
refused 3 'walk.h5 has 1000 vertices, but dqs.h5 has 158' "$skinbench" render dqs.h5 --target walk.h5 -o new.png
refused 3 'jelly.h5: has no rig' "$skinbench" render jelly.h5 --color bones -o new.png
refused 2 "expected a number from 0 to 4" "$skinbench" render dqs.h5 --frame 5 -o new.png
refused 2 'B <= 4' "$skinbench" render dqs.h5 --frames 0:5 -o new
refused 2 'B <= 4' "$skinbench" render dqs.h5 --frames 0:2x -o new
refused 2 '--target' "$skinbench" render dqs.h5 --color error -o new.png
refused 2 'three-quarter' "$skinbench" render dqs.h5 --view behind -o new.png
refused 2 'such as 4x3' "$skinbench" render dqs.h5 --size 0x10 -o new.png
refused 2 'such as 4x3' "$skinbench" render dqs.h5 --sheet 3 -o new.png
refused 2 '.png' "$skinbench" render dqs.h5 --sheet 3x2 -o new
refused 2 '--sheet' "$skinbench" render dqs.h5 --frames 0:3 -o new.png
refused 2 'pictures are .png' "$skinbench" render dqs.h5 -o new.jpg
refused 2 'more labels than files (1)' "$skinbench" render dqs.h5 --label a --label b -o new.png
refused 3 'nowhere' "$skinbench" render dqs.h5 -o nowhere/new.png
refused 3 'bare' "$skinbench" render dqs.h5 --frames 0:1 -o bare
[ -z "$(find . -name 'new*' -o -name '.skinbench-*')" ] || fail "something was written: $(ls -A)"

# Videos are ffmpeg's.
if command -v ffmpeg >/dev/null; then
    for video in new.mp4 new.webm; do
        "$skinbench" render dqs.h5 "${quick[@]}" -o $video
        [ "$(ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames,width -of csv=p=0 $video)" = 80,5 ] ||
            fail "$video is not 5 pictures of 80 pixels"
    done
    "$skinbench" render dqs.h5 "${quick[@]}" -o again.mp4
    cmp new.mp4 again.mp4 || fail "two videos of the same differ"
else
    echo "SKIPPED in part: no ffmpeg on the PATH"
fi
mkdir empty broken
refused 4 'ffmpeg is not on the PATH' env PATH="$PWD/empty" "$skinbench" render dqs.h5 "${quick[@]}" -o none.mp4
printf '#!/bin/sh\necho out of wax >&2\nexit 3\n' >broken/ffmpeg
chmod +x broken/ffmpeg
refused 5 'ffmpeg failed: out of wax' env PATH="$PWD/broken" "$skinbench" render dqs.h5 "${quick[@]}" -o none.mp4
[ ! -e none.mp4 ] || fail "a video without ffmpeg"

/* Initial inputs for fuzzing, written to the working folder. */
#pragma once

void archives_make(void);   /* archives of frames of every supported kind */
void hdf5_files_make(void); /* data sets in every storage form of HDF5, and files that are not data sets */

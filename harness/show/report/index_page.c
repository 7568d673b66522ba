/* Starts and ends index.html, and copies its style and script into the report. */
#include "harness/show/report/report_parts.h"

#include <sys/stat.h>

void html_page_start(HtmlFile *html, const char *title, bool with_script)
{
    html_print(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; "
        "style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; "
        "form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n"
        "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"page/page.css\">\n"
        "<script defer src=\"page/folds.js\"></script>\n",
        title);
    if (with_script)
        html_print(
            html,
            "<script defer src=\"page/data.js\"></script>\n<script defer src=\"page/page.js\"></script>\n");
    html_print(html, "</head>\n<body>\n");
}

void html_page_end(HtmlFile *html)
{
    html_print(html, "</body>\n</html>\n");
}

/* Copies one of the program's own files into page/ of the report. *there tells whether the file exists. */
static Status asset_copy(const char *folder, const char *from, const char *name, const char *extension,
                         bool *there)
{
    char path[PUBLISHED_PATH_BYTES];
    FILE *out = NULL;
    STATUS_TRY(report_file_open(folder, name, extension, &out));
    snprintf(path, sizeof path, "harness/show/report/page/%s", from);
    const Status status = report_file_close(out, name, home_file_append(path, out, there));
    if (!*there) {
        snprintf(path, sizeof path, "%s/%s.%s", folder, name, extension);
        (void)remove(path);
    }
    return status;
}

Status index_start(ReportPage *report, const char *source, const char *stamp)
{
    char path[PUBLISHED_PATH_BYTES];
    bool style = false;
    snprintf(path, sizeof path, "%s/page", report->folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return status_make(STATUS_SYSTEM, "the folder page cannot be created: %s", strerror(errno));
    STATUS_TRY(asset_copy(report->folder, "page.css", "page/page", "css", &style));
    STATUS_TRY(asset_copy(report->folder, "folds.js", "page/folds", "js", &style));
    STATUS_TRY(asset_copy(report->folder, "dist/page.js", "page/page", "js", &report->has_script));
    html_page_start(report->html, "skinbench report", report->has_script);
    html_print(report->html, "<header>\n<h1>skinbench report</h1>\n<p>Results of %s, %.10s, skinbench %.*s. ",
               source, stamp, (int)strcspn(environment_build(), " "), environment_build());
    return status_ok();
}

void index_main(const ReportPage *report)
{
    HtmlFile *html = report->html;
    html_print(html, " <a href=\"report.md\">Markdown</a></p>\n");
    if (!report->has_script)
        html_print(
            html,
            "<p class=\"lack\">This page was written without its script: tables do not sort, plots are "
            "pictures, and there is no 3D view. Where Node is installed, <code>npm ci &amp;&amp; npm run "
            "build</code> in harness/show/report/page makes the script; then write the report again.</p>\n");
    html_print(html, "</header>\n<main>\n");
}

void index_end(const ReportPage *report)
{
    html_print(report->html, "</main>\n");
    html_page_end(report->html);
}

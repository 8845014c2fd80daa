# Writes every numeric time series of 100 values or more in R's datasets and some packages, one value a line: Rscript panel.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1]
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
for (package in c("datasets", "forecast", "tseries", "MASS", "boot", "lmtest")) {
  if (!requireNamespace(package, quietly = TRUE)) next
  for (item in sub(" .*", "", data(package = package)$results[, "Item"])) {
    loaded <- new.env()
    suppressWarnings(try(data(list = item, package = package, envir = loaded), silent = TRUE))
    for (name in ls(loaded)) {
      series <- get(name, loaded)
      if (!is.ts(series)) next
      columns <- as.matrix(series)
      for (column in seq_len(ncol(columns))) {
        values <- as.numeric(na.omit(columns[, column]))
        if (length(values) < 100 || length(unique(values)) < 10) next
        number <- if (ncol(columns) > 1) paste0("_", column) else ""
        writeLines(as.character(values), file.path(folder, paste0(package, "_", name, number, ".csv")))
      }
    }
  }
}

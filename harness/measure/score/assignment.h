/* Finds the best pairs of two sets. */
#pragma once

#include "datasets/base/base.h"

/* Pairs rows with columns so that the sum of their costs [rows][columns] is least (Kuhn 1955). As many pairs
 * are made as the smaller set has members. column_of [rows] receives the column of each row, or -1. */
Status assignment_find(const double *costs, int rows, int columns, int32_t *column_of);

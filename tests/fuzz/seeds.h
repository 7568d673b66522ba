/* Inputs that fuzzing starts from, made in the working folder. */
#pragma once

void archives_make(void);   /* archives of frames, of every kind that is read */
void hdf5_files_make(void); /* data sets in every way that HDF5 has to store one, and what is none */

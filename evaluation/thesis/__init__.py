"""The tables of the thesis that ESOTERIC comes from, on its own protocol."""

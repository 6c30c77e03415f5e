"""Benchmarks run, measured and reported: `run_bench` for any, `tir_plans` for the five of TIR."""

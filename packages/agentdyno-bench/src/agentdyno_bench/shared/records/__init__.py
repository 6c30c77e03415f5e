"""Values that benchmarks, judges and studies of this package hand on."""

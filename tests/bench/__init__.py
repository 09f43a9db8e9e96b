"""Measurements that are run by hand or by `make bench`; they print figures and assert nothing."""

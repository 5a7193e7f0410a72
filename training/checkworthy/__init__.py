"""Which sentences are worth checking: the debates that teach it, the examples, its calibration."""

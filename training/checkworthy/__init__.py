"""Which sentences are worth checking: the debates that teach it, the network, its calibration."""

"""Pronoun resolution: GAP's pronouns, the trees and the network, and how both are combined."""

"""Whom a pronoun means: GAP's pronouns, the trees and the network, and how both are joined."""

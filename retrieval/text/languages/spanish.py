"""The profile of Spanish."""

from __future__ import annotations

from retrieval.text.languages.profile import MULTILINGUAL, Language

SPANISH = Language(
    "es",
    "Spanish",
    "spanish",
    frozenset(
        "el la los las un una unos unas de del al a en y o u e que es era fue fueron son ser ha han habia su sus se por para "
        "con como lo le les este esta estos estas ese esa entre desde hasta sobre".split()
    ),
    frozenset("el la los las de del en y que un una es por con se a".split()),
    before_name=r"sr|sra|srta|sres|dr|dra|d|dª|dña|st|sta|sto|ud|uds|prof|profa|lic|ing|arq|gral|cnel|cap|mons|p\.ej|ej|cf|vid|aprox|ca|av|avda|ee",
    before_number=r"n|núm|nº|pág|págs|p|pp|art|arts|cap|caps|vol|vols|fig|c|s|km",
    perhaps=r"etc|ee\.uu|uu|a\.c|d\.c|s\.a|cía|hnos|jr|ene|feb|abr|ago|sept|oct|nov|dic|[^\W\d_]",
    begins=r"el|la|los|las|un|una|unos|unas|en|de|del|al|a|este|esta|estos|estas|ese|esa|su|sus|se|y|pero|o|como|cuando|donde|"
    r"mientras|aunque|porque|si|no|también|entre|desde|hasta|según|para|por|con|tras|durante|después|antes|él|ella|ellos|"
    r"algunos|muchos|otros|otro|cada|todos|hoy",
    disambiguation=r"(?:wikipedia:)?(?:páginas de )?desambiguación",
    tail=r"referencias|enlaces externos|véase también|bibliografía|notas|notas y referencias|fuentes|lecturas adicionales|citas",
    models=MULTILINGUAL,
)

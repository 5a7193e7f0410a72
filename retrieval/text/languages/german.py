"""The profile of German."""

from __future__ import annotations

from retrieval.text.languages.profile import MULTILINGUAL, Language

GERMAN = Language(
    "de",
    "German",
    "german",
    frozenset(
        "der die das den dem des ein eine einen einem einer eines und oder ist war sind waren wird wurde wurden werden hat "
        "haben hatte hatten sein seine seiner seinem seinen ihr ihre ihrer er sie es wir in im an am auf aus bei beim mit nach "
        "von vom vor zu zum zur fur als wie dass sich auch durch uber um bis".split()
    ),
    frozenset("der die das den dem und in im von zu ist ein eine mit".split()),
    before_name=r"dr|prof|hr|fr|st|hl|z\.b|d\.h|u\.a|v\.a|i\.d\.r|bzw|ca|vgl|sog|geb|gest|urspr|dipl|ing|inkl|evtl|ggf|mind|max|"
    r"inh|verh|o\.ä|v|n|s\.o|s\.u",
    before_number=r"nr|s|bd|kap|abb|abs|art|jh|jg|tab|max|min|ca|um|§",
    perhaps=r"usw|u\.s\.w|etc|jh|jhd|chr|mio|mrd|str|tel|co|kg|mbh|jan|feb|aug|sept|okt|nov|dez|[^\W\d_]",
    begins=r"der|die|das|dem|den|ein|eine|er|sie|es|wir|ihr|ich|und|aber|oder|doch|im|am|auf|bei|mit|nach|von|vor|zu|zum|zur|"
    r"für|als|wenn|dass|weil|da|dort|hier|dies|diese|dieser|dieses|jede|viele|einige|nicht|auch|seit|während|durch|in|an|"
    r"sein|seine|ihre|heute|später|danach|dabei|damit",
    ordinals=True,
    disambiguation=r"begriffsklärung(?:sseite)?",
    tail=r"einzelnachweise|weblinks|literatur|siehe auch|quellen|anmerkungen|belege|fußnoten|anmerkungen und einzelnachweise",
    models=MULTILINGUAL,
)

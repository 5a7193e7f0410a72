"""The kind of a sentence, if its form decides it: question, instruction, prediction, opinion, boilerplate."""

from __future__ import annotations

import re
from typing import Any

from retrieval.text.grammar import AUXILIARIES, FINITE, NOUN_SUBJECTS, SUBJECTS, auxiliaries, has_child, root_of

CLAIM, FACT, OPINION = "claim", "unimportant fact", "opinion"
QUESTION, PREDICTION, INSTRUCTION = "question", "prediction", "instruction"
BOILERPLATE, HEADING, CELL, FOREIGN = "boilerplate", "heading", "table cell", "other language"

_BOILERPLATE = re.compile(
    r"(?i)\b(?:all rights reserved|cookies?\b.{0,60}\b(?:accept|use|consent|policy|polic|agree|settings)|"
    r"(?:accept|use|uses|consent to|manage)\b.{0,40}\bcookies?\b|privacy policy|terms (?:of (?:use|service)|and conditions)|"
    r"subscribe (?:to|now|today|for)|sign up (?:for|to|now|today)|newsletter|click here|read more|related (?:articles|stories)|"
    r"share (?:this|on)|follow us|log ?in to|create an account|advertisement|sponsored content|skip to (?:content|main)|unsubscribe|"
    r"back to top|photo(?:graph)? by|image credit|photo credit|editing by|reporting by|as an ai (?:language )?model|"
    r"your (?:e-?mail|inbox)|(?:enable|turn on) (?:cookies|notifications|javascript)|download (?:the|our) app)\b|©|\(c\) ?(?:19|20)\d\d"
)
_LETTER = re.compile(
    r"(?i)On .{5,90} wrote[:.]?|(?:From|Sent|To|Cc|Bcc|Subject|Date|Betreff|Von|An): .{1,200}|.{0,80}\|.{0,80}\+?\d[\d ()-]{7,}.{0,120}|"
    r".{0,40}\be-?mail (?:and any \w+ )?(?:is|are) (?:strictly )?confidential.{0,200}"
)
_POINTER = re.compile(
    r"(?:Related|Read next|Read also|See also|More on this|Watch|Listen|Recommended|Also read|In pictures): \S.*"
)
_URL_ONLY = re.compile(r"(?i)\W*(?:https?://|www\.)\S+\W*")
_BYLINE = re.compile(
    r"(?:By|Written by|Photo:|Image:|Source:|Published|Updated|Posted|Last modified|Retrieved|Accessed|Archived from)\b[\w .,:'’|·–-]{2,120}"
)
_QUESTION = re.compile(r"\?[\"'”’»)\]]*\s*\Z")
_ENDS = re.compile(r"[.!…][\"'”’»)\]]*\s*\Z")
FEWEST_WITHOUT_VERB = 5  # words of a sentence in which the parser finds no verb
_FUTURE = re.compile(
    r"(?i)\b(?:will (?:be|have|soon|likely|probably|continue|never|not|see|\w+)|won['’]t|shall|(?:is|are|am) (?:going|set|about|expected|likely|"
    r"projected|forecast|bound|poised|due) to|(?:may|might|could) (?:soon|one day|eventually)|by (?:the year )?20[3-9]\d|"
    r"in the (?:coming|next) (?:\w+ )?(?:years?|decades?|months?|weeks?|days?)|'ll|’ll)\b"
)
_OPINION = re.compile(
    r"(?i)\b(?:i|we) (?:\w+ ){0,2}(?:think|believe|feel|hope|love|hate|prefer|doubt|suspect|guess|wish|want|agree|disagree|"
    r"recommend|suggest|find|support|oppose)\b|"
    r"\b(?:in (?:my|our|his|her) (?:view|opinion|mind|eyes)|to my mind|it seems to me|as far as i|if you ask me|"
    r"(?:should|ought to|must|need to|needs to|has to|have to) (?:be|not|do|have|stop|start|act|change|\w+)|"
    r"(?:i['’]m|i am|we are|we['’]re) (?:sure|glad|proud|sorry|happy|afraid|convinced|grateful|confident)|"
    r"(?:it is|it['’]s|that is|that['’]s|this is) (?:\w+ly |so |too |very |a |an )*(?:shame|disgrace|pity|wonderful|terrible|great|"
    r"awful|important|essential|vital|crucial|clear|time|wrong|right|outrageous|scandal|disaster|tragedy|beautiful|ridiculous|"
    r"absurd|unacceptable|difficult|hard|nice|good|bad|sad)\b|deserves? (?:\w+)|unfortunately|thankfully|frankly|sadly|"
    r"hopefully|arguably)\b"
)
JUDGING = frozenset(
    "beautiful wonderful terrible awful amazing magnificent brilliant delightful disgraceful outrageous ridiculous absurd "
    "boring charming lovely stunning superb dreadful horrible fantastic disgusting shameful pathetic marvellous marvelous "
    "unforgettable breathtaking overrated underrated tasteful tasteless disappointing".split()
)
_WRITER = frozenset(("i", "me", "my", "we", "us", "our"))


def kind_by_form(text: str, doc: Any) -> str:
    """A sentence's kind; empty if its form does not decide. doc: spaCy's parse."""
    if _URL_ONLY.fullmatch(text) or _LETTER.fullmatch(text) or _POINTER.fullmatch(text):
        return BOILERPLATE
    if (_BYLINE.fullmatch(text) and not states(doc)) or (_BOILERPLATE.search(text) and not _states_past_fact(doc)):
        return BOILERPLATE
    if _QUESTION.search(text):
        return QUESTION
    has_verb = any(token.pos_ in ("VERB", "AUX") for token in doc)
    # Five words and a full stop make a sentence, even if the parser takes its verb for a noun.
    if not has_verb and not (_ENDS.search(text) and text.count(" ") + 1 >= FEWEST_WITHOUT_VERB):
        return HEADING
    if _is_instruction(doc):
        return INSTRUCTION
    if _is_opinion(text, doc):
        return OPINION
    if _FUTURE.search(text) and _is_future(doc):
        return PREDICTION
    return ""


def states(doc: Any) -> bool:
    """Whether the words form a sentence with subject and verb: "The mill is old", not "Born 1867"."""
    verbs = (token.head for token in doc if token.dep_ in SUBJECTS)
    return any(verb.tag_ in (*FINITE, "VBN", "VBG") for verb in verbs)


def _states_past_fact(doc: Any) -> bool:
    """Whether the main clause states a past fact about others than writer and reader: "The newsletter had 300 readers"."""
    root = root_of(doc)
    if root is None or not any(token.tag_ == "VBD" for token in (root, *auxiliaries(root))):
        return False
    subjects = {child.lower_ for child in root.children if child.dep_ in NOUN_SUBJECTS}
    return bool(subjects) and subjects.isdisjoint((*_WRITER, "you"))


def _is_instruction(doc: Any) -> bool:
    """Whether it begins with a bare verb that has no subject: "Compare the offers." """
    root = next((token for token in doc if token.dep_ == "ROOT" and token.pos_ in ("VERB", "AUX")), None)
    if root is None or root.tag_ != "VB" or (root.i > 1 and root.nbor(-1).text == "("):
        return False  # "In 1999 (see Fig. 2) it was sold."
    do_not = any(child.lemma_.lower() == "do" and child.i == doc[0].i for child in root.children if child.dep_ == "aux")
    return do_not or not has_child(root, *SUBJECTS, *AUXILIARIES)


def _is_opinion(text: str, doc: Any) -> bool:
    """Whether the sentence's words judge, wish or demand."""
    if _OPINION.search(text):
        return True
    if text.rstrip("\"'”’»)").endswith("!") and not any(token.ent_type_ for token in doc):
        return True
    return any(token.lower_ in JUDGING for token in doc) and not any(token.like_num for token in doc)


def may_judge(doc: Any) -> bool:
    """Whether the sentence can state an opinion: it has an adjective, or speaks in the first person."""
    return any(token.pos_ == "ADJ" or token.lower_ in _WRITER for token in doc)


def _is_future(doc: Any) -> bool:
    """Whether the main verb, rather than a subordinate clause's, is about the future."""
    root = root_of(doc)
    if root is None:
        return False
    verbs = [root, *(child for child in root.children if child.dep_ in (*AUXILIARIES, "xcomp", "acomp", "conj"))]
    helpers = [child for verb in verbs for child in verb.children if child.dep_ == "aux"]
    words = {token.lower_ for token in (*verbs, *helpers)}
    if not words.isdisjoint("will 'll ’ll wo shall going set expected likely poised projected bound".split()):
        return not words & {"was", "were"}
    return root.tag_ == "MD" or bool(words & {"may", "might", "could"})

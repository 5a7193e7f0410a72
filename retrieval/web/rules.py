"""Decides which web pages a check may read: fact-checkers' pages, and pages published too late, can be left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from retrieval.errors import SettingError
from retrieval.settings import Settings

# Signatories of the International Fact-Checking Network and similar sites: a host, or a host with a path.
FACT_CHECKERS = (
    "snopes.com politifact.com factcheck.org fullfact.org africacheck.org altnews.in boomlive.in factly.in leadstories.com "
    "checkyourfact.com truthorfiction.com factcheck.afp.com factuel.afp.com faktencheck.afp.com reuters.com/fact-check "
    "apnews.com/ap-fact-check apnews.com/hub/ap-fact-check usatoday.com/story/news/factcheck "
    "washingtonpost.com/politics/fact-checker washingtonpost.com/news/fact-checker bbc.co.uk/news/reality_check "
    "correctiv.org/faktencheck mimikama.org maldita.es newtral.es chequeado.com vishvasnews.com thip.media newschecker.in "
    "logicallyfacts.com verafiles.org rappler.com/newsbreak/fact-check teyit.org pagellapolitica.it facta.news faktograf.hr "
    "demagog.org.pl sciencefeedback.co science.feedback.org healthfeedback.org climatefeedback.org polygraph.info "
    "thedispatch.com/factcheck aap.com.au/factcheck aosfatos.org lupa.uol.com.br dubawa.org pesacheck.org tfc-taiwan.org.tw "
    "hoaxslayer.com metafact.io emergent.info"
).split()


@dataclass(frozen=True)
class Rules:
    """The pages not to read. left_out: hosts, or hosts with a path. before: the ISO date before which a page must have
    been published; empty for no limit.
    """

    left_out: tuple[str, ...] = ()
    before: str = ""

    def allow(self, address: str) -> bool:
        """Whether the page at an address may be fetched."""
        parts = urlsplit(address)
        host, path = f".{parts.hostname or ''}", parts.path.lower().strip("/")
        entries = (entry.partition("/") for entry in self.left_out)
        return not any(host.endswith(f".{site}") and path.startswith(folder) for site, _, folder in entries)

    def in_time(self, date: str) -> bool:
        """Whether a page with this date may be read. If there is a limit, an unknown date is refused."""
        return not self.before or bool(date and date < self.before)


def open_rules(settings: Settings) -> Rules:
    """The rules of the settings. Raises SettingError if WEB_BEFORE is not a date."""
    before = settings.web_before.strip()
    if before and not re.fullmatch(r"\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])", before):
        raise SettingError(f"WEB_BEFORE is {before[:40]!r}, which is not a date. Write it like 2020-10-31.")
    listed = [part.strip().lower().removeprefix("www.") for part in settings.web_leave_out.split(",") if part.strip()]
    return Rules((*listed, *(() if settings.web_fact_checkers else FACT_CHECKERS)), before)

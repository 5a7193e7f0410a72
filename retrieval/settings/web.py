"""The settings for the open web."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.settings.declaring import setting


@dataclass(frozen=True)
class Web:
    """The open web, beside the corpus or in its place. What a check searches for there leaves this machine."""

    web: str = setting(
        "off",
        "Search engine with which checks read the open web too: `searxng` (yours, at WEB_URL) or `brave` (with WEB_KEY). "
        "`pages`, or `1`: checks search nothing, but a page whose address somebody types is fetched. `off`: nothing is fetched.",
        choices=("off", "pages", "searxng", "brave"),
        alias=("1", "pages"),
    )
    web_url: str = setting("", "Address of SearXNG, which must allow the format `json`.", address=True)
    web_key: str = setting("", "API key for Brave's search.", secret=True)
    web_questions: int = setting(
        4, "Questions about a claim to search the web with; the claim itself if there are none.", rare=True
    )
    web_pages: int = setting(8, "Most pages to fetch for a claim.", rare=True)
    web_private: str = setting(
        "", "Private addresses or networks that pages may be fetched from, separated by commas. Empty: none.", rare=True
    )
    web_fact_checkers: bool = setting(True, "Read the pages of fact-checking sites too.", rare=True)
    web_leave_out: str = setting(
        "", "Sites never to read, separated by commas: a host, or host/path. Their subdomains count."
    )
    web_before: str = setting(
        "",
        "Read only pages published before this date, such as 2020-10-31; those without a date are left out. Empty: all.",
        rare=True,
    )

    @property
    def searches_web(self) -> bool:
        """Whether checks search the open web with an engine; without one, only typed addresses are fetched."""
        return self.web not in ("off", "pages")

    @property
    def fetches_pages(self) -> bool:
        """Whether pages whose address somebody types are fetched."""
        return self.web != "off"

"""The profile of English."""

from __future__ import annotations

from retrieval.text.languages.profile import Language

ENGLISH = Language(
    "en",
    "English",
    "english",
    # Words that do not matter to a claim. The list is short on purpose: "first", "only" and "not" do matter.
    frozenset(
        "a an the of in on at by for with to from and or is was are were be been being has have had it its his her their "
        "he she they that this as who which did does do there one s".split()
    ),
    # Words in more than a third of 118,863 pages: they cause most of BM25's work and hardly affect its results.
    frozenset("a and as by for in is it of on the to was".split()),
    before_name=r"mrs?|ms|dr|prof|st|mt|messrs|mme|mlle|gen|col|maj|capt|cpt|lt|sgt|cpl|pvt|adm|cmdr|cdr|brig|rev|fr|hon|gov|sen|"
    r"reps?|pres|atty|insp|msgr|supt|med|e\.g|i\.e|cf|viz|vs?|ca|approx|a\.k\.a|f\.k\.a|incl|esp",
    before_number=r"nos?|pp?|vols?|figs?|chap|ch|secs?|sect|arts?|eqs?|paras?|abs|tabs?|pop|alt|pts?|opp?|ser|ex|cl|apt|ste|rte|tel|ver|ft|lbs?|oz|yds?|[cbdr]|fl",
    perhaps=r"inc|ltd|co|corp|bros|jr|sr|etc|al|ed|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec|tues?|thurs?|ave|blvd|rd|dept|univ|"
    r"est|pub|geo|wm|chas|thos|edw|benj|ph\.d|(?:\w+-)?(?:[^\W\d_]\.)+[^\W\d_]{1,4}|[^\W\d_]",
    capitalised=r"Mar|Mon|Wed|Thu|Fri|Sat|Sun|Ft|Pt|Op|Ill|Calif|Mass|Conn|Penna?|Tenn|Fla|Ind|Wis[ck]?|Minn|Mich|Okla|Ore|Ariz|Colo|"
    r"Del|Ala|Ark|Tex|Va|Vt|Md|Pa|Ga|La|Ky|Mo|Miss|Mont|Neb|Nev|Wash|Wyo|Cal|App|Stat|Reg|Supp|Cir|Assn|Gov't|Dist|Mfg|Intl",
    begins=r"the|an?|this|that|these|those|its?|he|his|s?he|her|they|their|we|our|i|your?|there|here|in|on|at|as|by|for|from|"
    r"with|after|before|during|since|until|when|while|where|although|because|if|but|and|or|however|moreover|both|each|"
    r"some|many|most|such|other|another|all|not?|what|who|why|how|according|despite|under|over|among|between|through|within|"
    r"one|two|three|four|five|several|then|now|later|today|also|nobody|every|everyone|only|it's|he's|she's|there's",
    tail=r"references|notes|external links|see also|further reading|bibliography|sources|citations|footnotes|"
    r"notes and references|references and notes|works cited",
)

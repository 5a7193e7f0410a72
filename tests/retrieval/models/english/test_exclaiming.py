"""Exclamations, thanks, wishes and commands state nothing; statements and titles that begin like them do."""

from __future__ import annotations

import pytest

from tests.retrieval.models.english.test_reading import read

NO_STATEMENTS = """
What a lovely day!
What an amazing goal that was!
What lovely flowers!
How beautiful!
How kind of you!
I hate Mondays
We love dogs!
Thank you very much for your help.
Let's go
Happy birthday
Happy New Year, everyone!
Good luck!
Congratulations on your new job!
LOL that's funny
haha
Check this
Tell me about Paris
Show me pages about Marie Curie.
Give me the capital of France
Write a poem about Warsaw.
Stop it!
Go away!
Long live the King!
Have a nice day!
Welcome to Berlin!
Ugh, Mondays!
Oh no!
You're welcome.
Beware of the dog
May he rest in peace.
I wish it were summer.
Pizza is the best food ever!
So cute!
Best movie ever!
Nice to meet you
Hope you are well
What a mess
How nice of them to come!
Thanks for nothing
Welcome back to the show!
I hate it when it rains.
let's eat
Be quiet
Describe the French Revolution.
Sign up today
May the force be with you.
lmao
This is the best pizza in the world.
Stay safe
Thanks!
lol
I love Paris.
"""
STATEMENTS = """
What the Moon lacks is an atmosphere.
How the pyramids were built is not fully known.
I, Robot was written by Isaac Asimov.
Let It Be was recorded by the Beatles.
Happy is a song by Pharrell Williams.
Hello was sung by Adele.
Look Back in Anger was written by John Osborne.
Come Together was written by John Lennon.
Check Point is an Israeli company.
Mercury is the hottest planet.
Love Actually was released in 2003.
Congratulations was sung by Cliff Richard.
Never Mind the Bollocks was released in 1977!
Guess who wrote Hamlet: Shakespeare wrote it.
What a Wonderful World was sung by Louis Armstrong.
Smoking causes cancer.
Oh My God was recorded by Adele.
Nice is a city in France.
Help! was released by the Beatles in 1965.
Dogs bark.
Read was the middle name of Herbert Read's father.
Show Me the Money is from Jerry Maguire.
Bob Marley wrote No Woman, No Cry.
So did Poland join NATO in 1999.
I am Legend is a film with Will Smith.
You Only Live Twice was published in 1964.
Rest in Peace is an inscription on gravestones.
Wish You Were Here was released by Pink Floyd.
Will Smith was born in Philadelphia.
Go is a board game.
Hit the Road Jack was sung by Ray Charles.
Ha Long Bay is in Vietnam.
Einstein loved sailing.
Cats hate water.
Hi-de-Hi! was a BBC sitcom.
Stop signs are red.
Explain Everything is an app.
What Ever Happened to Baby Jane? was released in 1962.
How I Met Your Mother is set in New York.
What goes up comes down.
Happy Gilmore stars Adam Sandler.
Merry Clayton sang with the Rolling Stones.
Welcome, Maryland lies in Charles County.
Thank U was written by Alanis Morissette.
Heaven Help the Child was recorded by Mickey Newbury.
May Day is on 1 May.
Hate crimes rose in 2016.
Life of Brian stars Graham Chapman.
Well Done was released by Action Bronson.
Keep Calm and Carry On was a British poster.
Call Me Maybe was sung by Carly Rae Jepsen.
Be Here Now was recorded by Oasis.
Excuse My French was filmed in Egypt.
I'm a Celebrity airs on ITV.
Cheers won 28 Emmys.
Check whether Paris is in France.
"""


@pytest.mark.parametrize("typed", NO_STATEMENTS.strip().splitlines())
def test_what_states_nothing_is_refused(typed: str) -> None:
    found = read(typed)
    assert found.no_verdict
    assert len(found.notes) == 1


@pytest.mark.parametrize("typed", STATEMENTS.strip().splitlines())
def test_what_states_something_is_checked(typed: str) -> None:
    assert read(typed).no_verdict is None

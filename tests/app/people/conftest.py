"""People sign in here as they do in the tests of accounts."""

from tests.app.accounts.conftest import sign_in as sign_in

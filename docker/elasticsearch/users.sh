#!/bin/bash
# Before Elasticsearch starts: users with the least rights, one for who reads the corpus and one for who loads it.
set -euo pipefail
users="${ES_HOME:-/usr/share/elasticsearch}/bin/elasticsearch-users"
for kind in reader loader; do
  user="esoteric-$kind" password="${kind^^}_PASSWORD"
  # Names are padded to 15 characters, so that nothing may stand between a name and its colon.
  if "$users" list "$user" 2>/dev/null | grep -q "^$user *:"; then
    "$users" passwd "$user" -p "${!password}"
  else
    "$users" useradd "$user" -p "${!password}" -r "$user"
  fi
done
exec "$@"

#!/bin/sh
# Names every image of the two Dockerfiles and docker-compose.yml by the digest that its registry gives for the tag now.
set -eu
cd "$(dirname "$0")/.."
files="Dockerfile docker/elasticsearch/Dockerfile docker-compose.yml"
images=$(sed -nE 's/^(FROM|    image:) ([^ @]+:[^ @]+)(@[^ ]+)?( .*)?$/\2/p' $files | sort -u)
pins=""
for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}') || digest=""
  if ! printf %s "$digest" | grep -qxE 'sha256:[0-9a-f]{64}'; then
    echo "The registry gave no digest for $image, so nothing was changed. Check the network and that docker buildx works." >&2
    exit 1
  fi
  pins="$pins $image@$digest"
done
for pin in $pins; do
  tagged=$(printf %s "${pin%@*}" | sed 's/[.]/\\./g')
  sed -i -E "s#^(FROM|    image:) $tagged(@[^ ]+)?( .*)?\$#\1 $pin\3#" $files
  echo "$pin"
done

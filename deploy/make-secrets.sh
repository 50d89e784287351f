#!/bin/sh
# Makes the secrets of compose.production.yml, each in a file: docs/DEPLOYMENT.md. Files that are there stay.
#
#   deploy/make-secrets.sh <folder>
set -eu
folder=${1:?usage: deploy/make-secrets.sh <folder>}
# Only its owner enters the folder. The files are open, because containers read them as accounts of their own.
mkdir -p "$folder"
chmod 700 "$folder"
umask 022

bytes() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }
# Part of a URL, so without signs.
password() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
make() { [ -e "$folder/$1" ] || printf '%s' "$2" >"$folder/$1"; }

make token_encryption_key "$(bytes 32)"
make internal_jwt_secret "$(bytes 32)"
make webhook_signing_secret "whsec_$(bytes 32)"
for role in postgres postgres_owner postgres_service; do make "${role}_password" "$(password)"; done
make redis_url "redis://:$(password)@redis:6379"
# Yours to fill in: that of the Google project, and those of JMAP servers and notifications, where users are to have them.
make oauth_client_secret ''
make jmap_providers ''
make vapid_private_key ''
[ -s "$folder/oauth_client_secret" ] || echo "Now put the secret of the OAuth client into $folder/oauth_client_secret."
echo "Keep a copy of $folder/token_encryption_key where the backups are not: without it, everybody has to sign in again."

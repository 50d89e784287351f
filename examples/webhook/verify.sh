#!/bin/sh
# Whether a call of Mailsweep's webhook is genuine: ends with 0, or with 1. Needs openssl.
#
# WEBHOOK_SIGNING_SECRET=whsec_… ./verify.sh "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$WEBHOOK_SIGNATURE" < body
set -eu
case $2 in '' | *[!0-9]*) exit 1 ;; esac
age=$(($(date +%s) - $2))
[ "${age#-}" -le 300 ] || exit 1
key=$(printf %s "${WEBHOOK_SIGNING_SECRET#whsec_}" | openssl base64 -d -A | od -An -vtx1 | tr -d ' \n')
right=v1,$({ printf '%s.%s.' "$1" "$2"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
for given in $3; do
  [ "$given" = "$right" ] && exit 0
done
exit 1

#!/bin/sh
# Backs up the database while Mailsweep runs: docs/DEPLOYMENT.md, "Back up".
#
#   deploy/backup.sh <folder>
#
# Connects as PGHOST, PGPORT, PGDATABASE, PGUSER and PGPASSWORD say, which psql reads, too. The role has to be able to
# read everything: the owner of the database. pg_dump must be as new as the server, or newer. Writes
# <folder>/mailsweep-<UTC time>.dump and prints its path; a backup that fails leaves nothing behind.
set -eu
folder=${1:?usage: deploy/backup.sh <folder>}
umask 077
file="$folder/mailsweep-$(date -u +%Y%m%dT%H%M%SZ).dump"
trap 'rm -f "$file.part"' EXIT
# One snapshot of all tables. Owners and privileges are those of the server that it is restored on. The queue, where it is
# in Postgres, belongs to another role; like one in Redis it is filled again from the events in the backup.
pg_dump --format=custom --no-owner --no-privileges --exclude-schema=bullmq --file="$file.part"
pg_restore --list "$file.part" >/dev/null
mv "$file.part" "$file"
echo "$file"

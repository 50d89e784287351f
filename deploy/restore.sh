#!/bin/sh
# Restores a backup into an empty database: docs/DEPLOYMENT.md, "Restore".
#
#   deploy/restore.sh <file>
#
# Connects as deploy/backup.sh does: as the owner of the new database. Everything is restored, or nothing.
set -eu
file=${1:?usage: deploy/restore.sh <file>}
tables=$(psql -X -At -v ON_ERROR_STOP=1 -c "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
if [ "$tables" != 0 ]; then
  echo "The database ${PGDATABASE:-} holds $tables tables: restore into a new, empty one. Nothing was changed." >&2
  exit 1
fi
# Without the queue that earlier versions backed up, too.
pg_restore --list "$file" | grep -v ' bullmq ' |
  pg_restore --single-transaction --exit-on-error --no-owner --no-privileges --use-list=/dev/stdin \
    --dbname="${PGDATABASE:?}" "$file"
# Without statistics, the first queries of a large mailbox would be slow.
PGOPTIONS='-c client_min_messages=error' psql -X -q -c ANALYZE
version=$(psql -X -At -c 'SELECT max(version) FROM schemaversion')
echo "Restored $file, at migration $version. Next: empty Redis, migrate, repeat the erasures made since the backup, start."

-- Run once by the Postgres image of the compose files when it makes its data folder, as the superuser. Nothing else
-- signs in as that: migrations run as the owner of the database, API and worker as a role that can only read and
-- write rows. Each password is in a variable, or in the file that the variable with _FILE at its end names.
\getenv owner_password POSTGRES_OWNER_PASSWORD
\if :{?owner_password}
\else
\set owner_password `cat "$POSTGRES_OWNER_PASSWORD_FILE"`
\endif
\getenv service_password POSTGRES_SERVICE_PASSWORD
\if :{?service_password}
\else
\set service_password `cat "$POSTGRES_SERVICE_PASSWORD_FILE"`
\endif

CREATE ROLE mailsweep_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE mailsweep_service LOGIN PASSWORD :'service_password';

-- The schema "public" belongs to whichever role owns the database.
ALTER DATABASE mailsweep OWNER TO mailsweep_owner;
REVOKE ALL ON DATABASE mailsweep FROM PUBLIC;
GRANT CONNECT ON DATABASE mailsweep TO mailsweep_service;

ALTER DEFAULT PRIVILEGES FOR ROLE mailsweep_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO mailsweep_service;
ALTER DEFAULT PRIVILEGES FOR ROLE mailsweep_owner IN SCHEMA public
  GRANT USAGE ON SEQUENCES TO mailsweep_service;

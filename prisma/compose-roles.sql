-- Makes the roles of Mailsweep in the database that psql is connected to, as a superuser. The Postgres image of the
-- compose files runs it when it makes its data folder, `npm start` at each start. Nothing else signs in as a superuser:
-- migrations run as the owner of the database, API and worker as a role that can only read and write rows, beside the
-- schema of the queue. It may be run again, as it has to be where a newer version grants more. Each password is in a
-- variable, or in the file that the variable with _FILE at its end names.
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

DO $$ BEGIN
  IF to_regrole('mailsweep_owner') IS NULL THEN CREATE ROLE mailsweep_owner; END IF;
  IF to_regrole('mailsweep_service') IS NULL THEN CREATE ROLE mailsweep_service; END IF;
END $$;
ALTER ROLE mailsweep_owner LOGIN PASSWORD :'owner_password';
ALTER ROLE mailsweep_service LOGIN PASSWORD :'service_password';

-- The schema "public" belongs to whichever role owns the database.
ALTER DATABASE :"DBNAME" OWNER TO mailsweep_owner;
REVOKE ALL ON DATABASE :"DBNAME" FROM PUBLIC;
-- Without REDIS_URL the queue is in a schema of its own, and takes jobs in bulk by way of temporary tables.
GRANT CONNECT, TEMPORARY ON DATABASE :"DBNAME" TO mailsweep_service;
CREATE SCHEMA IF NOT EXISTS bullmq AUTHORIZATION mailsweep_service;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO mailsweep_service;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO mailsweep_service;
ALTER DEFAULT PRIVILEGES FOR ROLE mailsweep_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO mailsweep_service;
ALTER DEFAULT PRIVILEGES FOR ROLE mailsweep_owner IN SCHEMA public
  GRANT USAGE ON SEQUENCES TO mailsweep_service;

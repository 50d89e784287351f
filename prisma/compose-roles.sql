-- Run once by the Postgres image of docker-compose.yml when it makes its data folder, as the superuser. Nothing else
-- signs in as that: migrations run as the owner of the database, API and worker as a role that can only read and
-- write rows.
\getenv owner_password POSTGRES_OWNER_PASSWORD
\getenv service_password POSTGRES_SERVICE_PASSWORD

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

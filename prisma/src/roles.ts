import { readFileSync } from 'node:fs';
import pg from 'pg';

const SCRIPT = new URL('../compose-roles.sql', import.meta.url);
const OWNER = 'mailsweep_owner';
const SERVICE = 'mailsweep_service';

/** A database as each of its roles sees it. */
export interface RoleUrls {
  ownerUrl: string;
  serviceUrl: string;
}

/** The connection strings of the roles that {@link makeRoles} makes, with the host and the password of another one. */
export const toRoleUrls = (superuserUrl: string): RoleUrls => ({
  ownerUrl: Object.assign(new URL(superuserUrl), { username: OWNER }).href,
  serviceUrl: Object.assign(new URL(superuserUrl), { username: SERVICE }).href,
});

/**
 * Makes the roles of a database as psql does with `compose-roles.sql`: for servers of our own, which come without psql.
 * Where a superuser made the tables, as `npm start` did before there were roles, they become those of the roles.
 *
 * @param superuserUrl - its password becomes that of the roles
 */
export const makeRoles = async (superuserUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const script = readFileSync(SCRIPT, 'utf8')
      .replace(/^\\.*$/gm, '')
      .replace(/:'\w+_password'/g, pg.escapeLiteral(client.password ?? ''))
      .replaceAll(':"DBNAME"', pg.escapeIdentifier(client.database ?? ''));
    // One transaction: who can sign in finds everything.
    await client.query(`${script};${HAND_OVER}`);
  } finally {
    await client.end();
  }
};

/** What belongs to who runs it. Sequences of columns follow their tables. */
const HAND_OVER = `
  DO $$ DECLARE statement text; BEGIN
    FOR statement IN
      SELECT format('ALTER %s %s OWNER TO %s', kind, name, CASE nspname WHEN 'public' THEN '${OWNER}' ELSE '${SERVICE}' END)
      FROM (
        SELECT 'TABLE' AS kind, oid::regclass::text AS name, relowner AS owner, relnamespace AS schema FROM pg_class
          WHERE relkind = 'r'
        UNION ALL SELECT 'SEQUENCE', oid::regclass::text, relowner, relnamespace FROM pg_class
          WHERE relkind = 'S' AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'a')
        UNION ALL SELECT 'ROUTINE', oid::regprocedure::text, proowner, pronamespace FROM pg_proc
        UNION ALL SELECT 'TYPE', oid::regtype::text, typowner, typnamespace FROM pg_type WHERE typtype = 'e'
        UNION ALL SELECT 'SCHEMA', nspname, nspowner, oid FROM pg_namespace WHERE nspname = 'bullmq'
      ) AS found JOIN pg_namespace ON pg_namespace.oid = schema
      WHERE nspname IN ('public', 'bullmq') AND owner = current_user::regrole
    LOOP
      EXECUTE statement;
    END LOOP;
  END $$`;

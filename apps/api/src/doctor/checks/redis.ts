import { Redis } from 'ioredis';
import { type DoctorContext, explainMissing } from '../context.ts';
import { error, type Finding, faultsOr, ok, skipped, warning } from '../finding.ts';

const OLDEST_VERSION = 7;
const TIMEOUT_MS = 4_000;
const variable = 'REDIS_URL';

/** What Redis says of itself: `name:value` on each line. */
const readInfo = async (url: string): Promise<Map<string, string>> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Of an error of the connection, connect() itself says only that it is closed.
  let fault: Error | undefined;
  redis.on('error', (cause: Error) => (fault ??= cause));
  try {
    await redis.connect();
    const lines = (await redis.info()).split('\r\n').map((line) => line.split(':'));
    return new Map(lines.map(([name = '', ...value]) => [name, value.join(':')]));
  } catch (cause) {
    throw fault ?? cause;
  } finally {
    redis.disconnect();
  }
};

const checkInfo = (info: Map<string, string>): Finding[] => {
  const version = info.get('redis_version') ?? '';
  const policy = info.get('maxmemory_policy');
  const cannotWrite =
    info.get('aof_last_write_status') === 'err' || info.get('rdb_last_bgsave_status') === 'err';
  return faultsOr(
    `Redis ${version} keeps what it is given.`,
    Number.parseInt(version, 10) < OLDEST_VERSION &&
      error({
        variable,
        message: `This is Redis ${version}.`,
        why: 'The queue is tested with Redis 7 and newer.',
        fix: 'Upgrade Redis, or leave REDIS_URL out: the queue is then in Postgres.',
      }),
    policy !== 'noeviction' &&
      error({
        variable,
        message: `Redis has the maxmemory-policy ${policy ?? '(unknown)'}.`,
        why: 'When its memory is full it drops jobs of the queue without a word.',
        fix: 'Set maxmemory-policy noeviction in redis.conf, and: redis-cli config set maxmemory-policy noeviction',
      }),
    info.get('aof_enabled') !== '1' &&
      warning({
        variable,
        message: 'Redis keeps no append-only file.',
        why: 'After a restart the queue is empty; events come back from the outbox a minute later, dead letters are lost.',
        fix: 'Set appendonly yes in redis.conf, and: redis-cli config set appendonly yes',
      }),
    cannotWrite &&
      error({
        variable,
        message: 'Redis could not write to its disk.',
        why: 'It may refuse all writes, and a restart loses the queue.',
        fix: 'Look at its log, and at the space on its disk.',
      }),
  );
};

export const checkRedis = async (context: DoctorContext): Promise<Finding[]> => {
  const { REDIS_URL: url } = context.values;
  if (context.env.REDIS_URL === undefined) return [ok('REDIS_URL is not set: the queue is in Postgres.')];
  if (url === undefined) return [skipped(explainMissing(context, variable))];
  try {
    return checkInfo(await readInfo(url));
  } catch (cause) {
    return [
      error({
        variable,
        message: `Redis cannot be used: ${cause instanceof Error ? cause.message : cause}.`,
        why: 'No event leaves the outbox, and each process counts limits for itself.',
        fix: 'Start Redis, or correct host, port and password in REDIS_URL.',
      }),
    ];
  }
};

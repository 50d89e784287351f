import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, findServerParent } from '@mailsweep/service-kit/testing';

/** Where Debian's package cyrus-imapd puts its programs. */
const PROGRAMS = '/usr/lib/cyrus/bin';
/** The mailboxes of a test file. Cyrus flushes eight times for each email, which a slow disk takes a minute for. */
const NEEDED_BYTES = 256 * 1024 ** 2;
const START_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

/** A real mail server with JMAP, on this machine alone. */
export interface CyrusServer {
  /** The session resource. */
  sessionUrl: string;
  /** A bearer token of a user. */
  tokenOf(user: string): string;
  /**
   * Delivers a message by LMTP, as mail from elsewhere arrives. The first one creates the user's mailboxes.
   *
   * @param message - headers and body, with lines that end in CRLF
   */
  deliver(user: string, message: string): Promise<void>;
  /** Cleans up after destroyed emails, as it does every night: it no longer knows what changed before. */
  forgetDestroyed(): Promise<void>;
  /** Accepts no token from before any more. */
  revokeTokens(): Promise<void>;
  /** Ends all its processes at once, without a word (SIGKILL). */
  kill(): Promise<void>;
  /** Starts it again after that, on the same port and the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Why no Cyrus can be started here; undefined where one can. */
export const findMissingCyrus = (): string | undefined => {
  if (!existsSync(join(PROGRAMS, 'httpd'))) return 'cyrus-imapd is not installed';
  return process.getuid?.() === 0 ? undefined : 'Cyrus has to be started by root';
};

const FOLDERS = ['Archive', 'Trash', 'Sent', 'Drafts', 'Junk'];

const toSettings = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

/** imapd.conf(5). Conversations give emails and threads their ids; the user's folders have roles from the first mail on. */
const toImapdConf = (folder: string): string =>
  toSettings({
    configdirectory: join(folder, 'conf'),
    proc_path: join(folder, 'proc'),
    mboxname_lockpath: join(folder, 'lock'),
    defaultpartition: 'main',
    'partition-main': join(folder, 'mail'),
    defaultsearchtier: 'main',
    'mainsearchpartition-main': join(folder, 'search'),
    search_engine: 'xapian',
    sync_log: 'yes',
    sync_log_channels: 'squatter',
    conversations: 'yes',
    altnamespace: 'yes',
    unixhierarchysep: 'yes',
    virtdomains: 'off',
    allowplaintext: 'yes',
    httpmodules: 'jmap',
    http_jwt_key_dir: join(folder, 'keys'),
    autocreate_quota: '0',
    autocreate_post: 'yes',
    autocreate_inbox_folders: FOLDERS.join(' | '),
    ...Object.fromEntries(FOLDERS.map((name) => [`xlist-${name}`, name])),
    specialuse_extra: '\\Memos \\Scheduled',
    lmtpsocket: join(folder, 'socket', 'lmtp'),
    idlesocket: join(folder, 'socket', 'idle'),
    notifysocket: join(folder, 'socket', 'notify'),
  });

/** cyrus.conf(5): JMAP over HTTP, deliveries, and the index of what arrives. */
const toCyrusConf = (folder: string, port: number): string => {
  const program = (name: string, args: string): string =>
    `cmd="${join(PROGRAMS, name)} -C ${join(folder, 'imapd.conf')} ${args}"`;
  return `START {
  recover ${program('ctl_cyrusdb', '-r')}
}
SERVICES {
  http ${program('httpd', '')} listen="127.0.0.1:${port}" prefork=2 maxchild=20
  lmtp ${program('lmtpd', '')} listen="${join(folder, 'socket', 'lmtp')}" prefork=1 maxchild=5
}
DAEMON {
  index ${program('squatter', '-R')}
}
`;
};

const encode = (part: Buffer | object): string =>
  (Buffer.isBuffer(part) ? part : Buffer.from(JSON.stringify(part))).toString('base64url');

/** A JSON Web Token with the claim `sub` alone: Cyrus refuses all others but `iat`. */
const toToken = (key: Buffer, user: string): string => {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: user })}`;
  return `${signed}.${encode(createHmac('sha256', key).update(signed).digest())}`;
};

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const waitUntilReady = async (master: ChildProcess, port: number, lmtpSocket: string): Promise<void> => {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (!(existsSync(lmtpSocket) && (await isListening(port)))) {
    if (master.exitCode !== null || Date.now() > deadlineMs) throw new Error('Cyrus did not start');
    await sleep(POLL_MS);
  }
};

/** Starts a Cyrus in a folder of its own, without users. */
export const startCyrus = async (): Promise<CyrusServer> => {
  const folder = await mkdtemp(join(findServerParent(NEEDED_BYTES), 'cyrus-'));
  const port = await findFreePort();
  let key = randomBytes(32);
  const confFile = join(folder, 'imapd.conf');
  const masterFile = join(folder, 'cyrus.conf');
  const lmtpSocket = join(folder, 'socket', 'lmtp');
  for (const name of ['conf/db', 'proc', 'lock', 'mail', 'search', 'keys', 'socket']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  const saveKey = (): Promise<void> => {
    const pem = `-----BEGIN HMAC KEY-----\n${key.toString('base64')}\n-----END HMAC KEY-----\n`;
    return writeFile(join(folder, 'keys', 'key.pem'), pem);
  };
  await saveKey();
  await writeFile(confFile, toImapdConf(folder));
  await writeFile(masterFile, toCyrusConf(folder, port));
  execFileSync('chown', ['-R', 'cyrus:mail', folder]);

  const args = ['-C', confFile, '-M', masterFile, '-p', join(folder, 'master.pid')];
  // It ends its whole process group with itself: that of others must not be its own.
  const launch = () => spawn(join(PROGRAMS, 'master'), args, { stdio: 'ignore', detached: true });
  let master = launch();
  const end = async (signal: () => void): Promise<void> => {
    if (master.exitCode !== null || master.signalCode !== null) return;
    const exited = once(master, 'exit');
    signal();
    await exited;
  };
  const stop = async (): Promise<void> => {
    await end(() => master.kill('SIGTERM'));
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: POLL_MS });
  };
  const waitOrStop = async (): Promise<void> => {
    try {
      await waitUntilReady(master, port, lmtpSocket);
    } catch (error) {
      await stop();
      throw error;
    }
  };
  await waitOrStop();

  const kill = () => end(() => process.kill(-(master.pid ?? 0), 'SIGKILL'));
  const restart = async (): Promise<void> => {
    // What is left of the killed one would look like readiness.
    await rm(lmtpSocket, { force: true });
    master = launch();
    await waitOrStop();
  };

  /** Runs one of its programs as its user. */
  const run = async (name: string, options: readonly string[], input = ''): Promise<void> => {
    const identity = ['--reuid=cyrus', '--regid=mail', '--clear-groups'];
    const command = [...identity, join(PROGRAMS, name), '-C', confFile, ...options];
    const program = spawn('setpriv', command, { stdio: ['pipe', 'ignore', 'ignore'] });
    const exited = once(program, 'exit');
    program.stdin.end(input);
    const [code] = await exited;
    if (code !== 0) throw new Error(`${name} failed (${code})`);
  };

  return {
    sessionUrl: `http://127.0.0.1:${port}/.well-known/jmap`,
    tokenOf: (user) => toToken(key, user),
    deliver: (user, message) => run('deliver', [user], message),
    forgetDestroyed: () => run('cyr_expire', ['-E', '0', '-X', '0']),
    async revokeTokens() {
      key = randomBytes(32);
      await saveKey();
      // Each process has read the key when it began.
      await kill();
      await restart();
    },
    kill,
    restart,
    stop,
  };
};

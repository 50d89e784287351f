import { readDoctorEnvironment } from './config.ts';
import { runDoctor } from './doctor/run-doctor.ts';

process.exitCode = await runDoctor(process.argv.slice(2), {
  env: readDoctorEnvironment(),
  hasColour: process.stdout.isTTY,
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  startMs: performance.now(),
});
// What hangs must not keep the process.
process.exit();

import { argv, chdir, cwd, exit, stdout } from 'node:process'
import { ENGINE } from '../infra/project.ts'
import { loadEngine } from './stack/gateway.ts'

/** Options name files from here. */
const folder = cwd()
chdir(ENGINE)

const USAGE = `npx gatehouse start [--json] [--dev | --strict] [--users FILE] [--clients FILE] [--clock TIME] [--ready-file FILE]

Brings up the whole service on 127.0.0.1 and prints where everything is; Ctrl-C stops it.

  --json    print one line of JSON instead: npm start --silent -- --json
  --dev     build again what changes: npx gatehouse dev
  --strict  fail where AWS fails: docs/local-cloud.md

  --users FILE       these users instead of the demo users
  --clients FILE     the clients of the OpenID provider
  --clock TIME       begin at this time, as 2026-01-01T00:00:00Z
  --ready-file FILE  write the line of --json to a file of its owner, too

For tests of clients: docs/guide/test-your-client.md.

LISTEN_HOST=0.0.0.0 listens for other machines too, PORT_OFFSET=N moves every port by N, DATA_DIR=PATH keeps the data elsewhere; npx gatehouse doctor looks for what is in the way.
`

if (argv.includes('--help')) {
  stdout.write(USAGE)
  exit(0)
}

const engine = loadEngine()
// The engine loads at the same time.
const { runLocally } = await import('./stack/run.ts')
await runLocally(engine, { folder })

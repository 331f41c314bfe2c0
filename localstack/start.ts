import { argv, chdir, exit, stdout } from 'node:process'
import { ENGINE } from '../infra/project.ts'
import { loadEngine } from './stack/gateway.ts'

chdir(ENGINE)

const USAGE = `npm start -- [--json] [--dev | --strict]

Brings up the whole service on 127.0.0.1 and prints where everything is; Ctrl-C stops it.

  --json    print one line of JSON instead: npm start --silent -- --json
  --dev     build again what changes: npx gatehouse dev
  --strict  fail where AWS fails: docs/local-cloud.md

PORT_OFFSET=N moves every port by N, DATA_DIR=PATH keeps the data elsewhere; npx gatehouse doctor looks for what is in the way.
`

if (argv.includes('--help')) {
  stdout.write(USAGE)
  exit(0)
}

const engine = loadEngine()
// The engine loads at the same time.
const { runLocally } = await import('./stack/run.ts')
await runLocally(engine)

import { flushCompileCache } from 'node:module'
import { argv } from 'node:process'
import { startSqs } from './sqs.ts'

/** A process of its own, so that it can end and restart without the others. */
const [, , port = '', region = '', folder = '', baseUrl] = argv

await startSqs(Number(port), region, { path: () => folder || undefined }, baseUrl)
// A signal ends this process, and Node then does not save its compile cache.
flushCompileCache()

import { flushCompileCache } from 'node:module'
import { argv } from 'node:process'
import { serveDirectory } from './embedded.ts'
import { demoEntries } from './entries.ts'

/** A process of its own, because one malformed packet ends it: ldapjs throws outside every handler. */
const [, , port = ''] = argv

// A signal ends this process, and Node then does not save its compile cache.
serveDirectory(demoEntries(), Number(port), flushCompileCache)

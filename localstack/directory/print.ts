import { stdout } from 'node:process'
import { demoEntries } from './entries.ts'
import { writeLdif } from './ldif.ts'

/** For the directory of compose.yaml. */
stdout.write(writeLdif(demoEntries()))

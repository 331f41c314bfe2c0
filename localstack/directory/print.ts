import { stdout } from 'node:process'
import { demoEntries } from './entries.ts'
import { writeLdif } from './ldif.ts'

/** Prints the entries for the directory of compose.yaml. */
stdout.write(writeLdif(demoEntries()))

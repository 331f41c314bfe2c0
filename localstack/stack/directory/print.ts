import { stdout } from 'node:process'
import { demoEntries, writeLdif } from './entries.ts'

/** Prints the entries for the directory of compose.yaml. */
stdout.write(writeLdif(demoEntries()))

import { Buffer } from 'node:buffer'

/** The key that the tokens are signed with, for us and for every peer. */
export const KEY = Buffer.alloc(64, 7)

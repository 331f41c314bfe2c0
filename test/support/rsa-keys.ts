import { generateKeyPairSync } from 'node:crypto'

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A pair takes 0.1 s to generate, so all tests of a process share two. */
export const RSA_KEYS = [pair(), pair()] as const

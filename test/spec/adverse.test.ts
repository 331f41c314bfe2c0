import { inAdversity } from './in-profile.ts'

inAdversity('default')

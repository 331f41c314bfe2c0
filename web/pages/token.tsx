import { mount } from '../mount.tsx'
import { TokenPage } from '../token/page.tsx'

mount(TokenPage)

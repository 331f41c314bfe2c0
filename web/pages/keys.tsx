import { KeysPage } from '../keys/page.tsx'
import { mount } from '../mount.tsx'

mount(KeysPage)

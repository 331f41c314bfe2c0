import { AccountPage } from '../account/page.tsx'
import { mount } from '../mount.tsx'

mount(AccountPage)

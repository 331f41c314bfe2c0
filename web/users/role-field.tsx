import { FormField } from '../ui/dialog.tsx'

export function RoleField({ value }: { readonly value: string }) {
  return (
    <FormField label="Role" name="role">
      <select id="field-role" name="role">
        <option selected={value === 'ROLE_USER'}>ROLE_USER</option>
        <option selected={value === 'ROLE_ADMIN'}>ROLE_ADMIN</option>
      </select>
    </FormField>
  )
}

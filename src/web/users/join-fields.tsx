import { REFERRAL_CODE_CHARS, USERNAME_CHARS } from '../../protocol/users.ts'
import { Field, TextInput } from '../../ui/field.tsx'

type JoinFieldsProps = {
  username: string
  setUsername: (username: string) => void
  code: string
  setCode: (code: string) => void
  problems: { username?: string; referral_code?: string }
}

/** What a new user can choose. */
export const JoinFields = ({ username, setUsername, code, setCode, problems }: JoinFieldsProps) => (
  <>
    <Field
      label="Username"
      hint={`${USERNAME_CHARS.min} to ${USERNAME_CHARS.max} characters: a–z, 0–9 and _`}
      error={problems.username}
    >
      {(control) => (
        <TextInput
          {...control}
          value={username}
          autoComplete="username"
          maxLength={USERNAME_CHARS.max}
          onChange={(event) => setUsername(event.target.value.toLowerCase())}
        />
      )}
    </Field>
    <Field label="Referral code" hint="Optional" error={problems.referral_code}>
      {(control) => (
        <TextInput
          {...control}
          value={code}
          maxLength={REFERRAL_CODE_CHARS}
          autoComplete="off"
          onChange={(event) => setCode(event.target.value.toUpperCase().trim())}
        />
      )}
    </Field>
  </>
)

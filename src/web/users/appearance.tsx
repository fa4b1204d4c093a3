import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useMute } from '../../ui/sound.ts'
import { Switch } from '../../ui/switch.tsx'
import { chooseMotion, chooseTheme, readMotion, readTheme, type Theme } from '../../ui/theme.ts'

const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function Appearance() {
  const [theme, setTheme] = useState(readTheme)
  const [motion, setMotion] = useState(readMotion)
  const { muted, mute } = useMute()
  return (
    <Card className="grid gap-5">
      <h2 className="text-xl">Appearance and sound</h2>
      <Segmented
        label="Theme"
        options={themes}
        value={theme}
        onChange={(value) => {
          setTheme(value)
          chooseTheme(value)
        }}
      />
      <Switch
        label="Reduce motion"
        hint="Turns off confetti, rolling numbers and moving icons"
        checked={motion === 'reduced'}
        onChange={(reduced) => {
          const value = reduced ? 'reduced' : 'system'
          setMotion(value)
          chooseMotion(value)
        }}
      />
      <Switch label="Sounds" hint="In the quiz and the colour game, on this device" checked={!muted} onChange={mute} />
    </Card>
  )
}

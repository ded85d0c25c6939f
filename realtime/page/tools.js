import { say } from './say.js'

/** What the page can do when the model asks for it. The model reads English, whatever the page speaks. */
const skies = ['sunny', 'cloudy', 'rainy', 'foggy']

export const tools = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'Get the weather in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', description: 'The city' } },
      required: ['city'],
    },
  },
  {
    type: 'function',
    name: 'set_light',
    description: 'Switch the light of the page on or off.',
    parameters: {
      type: 'object',
      properties: { state: { type: 'string', enum: ['on', 'off'] } },
      required: ['state'],
    },
  },
  {
    type: 'function',
    name: 'local_time',
    description: 'Tell the local time of the person who speaks.',
    parameters: { type: 'object', properties: {} },
  },
]

/** Invented weather, the same for the same city: this page has no network but its own server. */
function weatherIn(city) {
  const sum = Array.from(city).reduce((total, letter) => total + letter.codePointAt(0), 0)
  return { city, temperature: `${18 + (sum % 18)} degrees`, sky: skies[sum % skies.length] }
}

function switchLight(light, isOn) {
  light.dataset.on = String(isOn)
  light.dataset.say = isOn ? 'talk.on' : 'talk.off'
  light.textContent = say(light.dataset.say)
  return isOn ? 'on' : 'off'
}

export function runTool(name, given, light) {
  switch (name) {
    case 'get_weather':
      return weatherIn(String(given.city ?? ''))
    case 'set_light':
      return { light: switchLight(light, given.state === 'on') }
    case 'local_time':
      return { time: new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) }
    default:
      return { error: `there is no tool ${name}` }
  }
}

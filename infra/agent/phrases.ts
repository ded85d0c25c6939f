import type { AgentLanguage } from './language.ts'

type Said = Readonly<Record<AgentLanguage, string>>

/** What the agent can say, in each of its languages. `{…}` is replaced. */
export const phrases = {
  greeting: {
    en: 'Hello! I am {name}, a small assistant built into this server. How can I help?',
    hi: 'नमस्ते! मैं {name} हूँ, इस सर्वर में बना एक छोटा सहायक। मैं आपकी क्या मदद कर सकता हूँ?',
    hinglish: 'Namaste! Main {name} hoon, is server mein bana ek chhota assistant. Main aapki kya madad karoon?',
    ta: 'வணக்கம்! நான் {name}, இந்த சர்வரில் உள்ள ஒரு சிறிய உதவியாளர். நான் எப்படி உதவலாம்?',
  },
  identity: {
    en: 'I am {name}. I follow simple rules and am no language model: I can greet you, tell the time, and use the tools I am given.',
    hi: 'मैं {name} हूँ। मैं सरल नियमों से चलता हूँ, कोई भाषा मॉडल नहीं हूँ: मैं अभिवादन कर सकता हूँ, समय बता सकता हूँ, और दिए गए टूल चला सकता हूँ।',
    hinglish:
      'Main {name} hoon. Main simple rules se chalta hoon, koi language model nahin: main time bata sakta hoon aur diye gaye tools chala sakta hoon.',
    ta: 'நான் {name}. நான் எளிய விதிகளின்படி இயங்குகிறேன், மொழி மாதிரி அல்ல: நேரம் சொல்லவும், கொடுத்த கருவிகளைப் பயன்படுத்தவும் முடியும்.',
  },
  heard: {
    en: 'I heard you say: {text}. I am only the built-in assistant; connect a language model for real answers.',
    hi: 'मैंने सुना: {text}। मैं केवल अंतर्निर्मित सहायक हूँ; सच्चे उत्तरों के लिए कोई भाषा मॉडल जोड़िए।',
    hinglish: 'Maine suna: {text}. Main sirf built-in assistant hoon; asli jawab ke liye language model jodiye.',
    ta: 'நீங்கள் சொன்னது: {text}. நான் உள்ளமைந்த உதவியாளர் மட்டுமே; உண்மையான பதில்களுக்கு ஒரு மொழி மாதிரியை இணைக்கவும்.',
  },
  heardBriefly: {
    en: 'I heard: {text}.',
    hi: 'मैंने सुना: {text}।',
    hinglish: 'Maine suna: {text}.',
    ta: 'நான் கேட்டது: {text}.',
  },
  unheard: {
    en: 'Sorry, I did not catch that. Please say it again.',
    hi: 'माफ़ कीजिए, मैं सुन नहीं पाया। कृपया फिर से कहिए।',
    hinglish: 'Maaf kijiye, main sun nahin paaya. Kripya phir se kahiye.',
    ta: 'மன்னிக்கவும், எனக்குக் கேட்கவில்லை. மீண்டும் சொல்லுங்கள்.',
  },
  thanks: {
    en: 'You are welcome!',
    hi: 'आपका स्वागत है!',
    hinglish: 'Aapka swagat hai!',
    ta: 'நல்வரவு!',
  },
  goodbye: {
    en: 'Goodbye, take care!',
    hi: 'अलविदा, अपना ख़याल रखिए!',
    hinglish: 'Alvida, apna khayal rakhiye!',
    ta: 'போய் வாருங்கள், கவனமாக இருங்கள்!',
  },
  time: {
    en: 'It is {time} in UTC.',
    hi: 'यूटीसी में {time} बजे हैं।',
    hinglish: 'UTC mein {time} baje hain.',
    ta: 'யுடிசி நேரம் {time}.',
  },
  ask: {
    en: 'Please tell me: {field}.',
    hi: 'कृपया बताइए: {field}।',
    hinglish: 'Kripya bataiye: {field}.',
    ta: 'தயவுசெய்து சொல்லுங்கள்: {field}.',
  },
  result: {
    en: 'Here is the result: {text}.',
    hi: 'यह रहा परिणाम: {text}।',
    hinglish: 'Yeh raha result: {text}.',
    ta: 'இதோ முடிவு: {text}.',
  },
  failed: {
    en: 'That did not work: {text}.',
    hi: 'यह नहीं हो पाया: {text}।',
    hinglish: 'Yeh nahin ho paaya: {text}.',
    ta: 'அது முடியவில்லை: {text}.',
  },
} as const satisfies Record<string, Said>

export function say(
  phrase: keyof typeof phrases,
  language: AgentLanguage,
  values: Readonly<Record<string, string>> = {},
): string {
  return phrases[phrase][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

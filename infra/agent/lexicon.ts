import { stemOf, agentWords } from './words.ts'

/** English words of tools, and how they are said in Hindi, Hinglish and Tamil. One concept a line. */
const concepts = `
weather: मौसम mausam வானிலை forecast
temperature: तापमान taapmaan tapman गर्मी garmi வெப்பநிலை hot cold
rain: बारिश barish baarish மழை
time: समय samay टाइम वक्त waqt நேரம் clock
date: तारीख taarikh tareekh தேதி
order: ऑर्डर आर्डर mangwao मंगवाओ मंगाओ mangao ஆர்டர் buy
book: बुक बुकिंग booking reserve reservation புக் பதிவு
cancel: रद्द radd कैंसल cancel ரத்து
price: कीमत keemat kimat दाम daam rate भाव bhav விலை cost
balance: बैलेंस शेष balance இருப்பு
account: खाता khata खाते அக்கவுண்ட் கணக்கு
pay: भुगतान bhugtaan payment पेमेंट पैसे paise send भेजो bhejo transfer செலுத்து அனுப்பு
call: फोन phone कॉल கால் அழை
message: संदेश sandesh मैसेज செய்தி sms text
remind: याद yaad reminder रिमाइंडर நினைவூட்டு
alarm: अलार्म அலாரம்
play: चलाओ chalao बजाओ bajao சுழற்று பாடு இசை
music: गाना gaana gana गाने song संगीत பாடல்
light: लाइट बत्ती batti விளக்கு lamp
on: चालू chalu जलाओ jalao போடு
off: बंद band बुझाओ bujhao அணை
search: खोजो khojo ढूंढो dhundo dhoondo तलाश தேடு find lookup
train: ट्रेन रेल rail ரயில்
flight: फ्लाइट उड़ान udaan விமானம்
bus: बस பஸ் பேருந்து
ticket: टिकट டிக்கெட்
doctor: डॉक्टर மருத்துவர்
appointment: अपॉइंटमेंट मुलाकात mulakat சந்திப்பு
status: स्थिति sthiti स्टेटस நிலை track
news: खबर khabar समाचार samachar செய்திகள்
stock: स्टॉक शेयर share பங்கு
restaurant: रेस्टोरेंट होटल hotel உணவகம்
food: खाना khana भोजन உணவு meal
translate: अनुवाद anuvaad மொழிபெயர்
city: शहर shahar shehar நகரம் location place
name: नाम naam பெயர்
number: नंबर संख्या எண்
today: आज aaj இன்று
tomorrow: कल kal நாளை
`

const toEnglish: ReadonlyMap<string, string> = new Map(
  concepts
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [english = '', others = ''] = line.split(':')
      return [[english, english] as const, ...agentWords(others).map((word) => [word, english] as const)]
    })
    .map(([word, english]) => [word, stemOf(english)]),
)

/** The concept that a word of any of the languages stands for: itself, when it is not in the list. */
export function conceptOf(word: string): string {
  return toEnglish.get(word) ?? toEnglish.get(stemOf(word)) ?? stemOf(word)
}

/** Words that name nothing, in any of the languages. */
export const emptyWords: ReadonlySet<string> = new Set(
  agentWords(`a an the of in on at for to from by with and or is are was be it its this that these those i you me my your we
    our please can could would will do does did what which who when where how get set given provide returns return
    current user function tool value string name का की के को में से पर है हैं हूँ था थी और या क्या कौन कब कहाँ कैसे मुझे मैं
    मेरा मेरी तुम आप यह वह एक लिए ka ki ke ko mein se par hai hain hoon tha aur ya kya kaun kab kahan kaise mujhe main mera
    meri tum aap yeh woh ek liye என் நான் நீ எனக்கு ஒரு இது அது என்ன எப்படி எங்கே`),
)

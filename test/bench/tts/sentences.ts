const written = {
  en: `
    The train to the city leaves early in the morning.
    Please call me when you reach the office.
    She bought fresh vegetables from the market.
    The meeting has been moved to next week.
    I would like a cup of tea with little sugar.
    The children are playing in the garden.
    He forgot his keys on the kitchen table.
    We are planning a trip to the mountains.
    The doctor asked him to rest for a few days.
    Can you help me carry these boxes?
    The weather has been very hot this summer.
    My brother works at a large company.
    They watched the match on television together.
    The library closes at nine in the evening.
    I have never seen such a beautiful sunset.
    Please send me the report before lunch.
    The shop across the street sells good bread.
    She speaks three languages very well.
    The river was full after the heavy rain.
    Our teacher told us an interesting story.
    He drives to work every day.
    The new phone has a better camera.
    I need to pay the electricity bill today.
    The movie was longer than we expected.
    Turn left at the next traffic light.
    The farmer is happy with the harvest.
    We should finish this work before Friday.
    The baby is sleeping in the next room.
    There is a small temple near the lake.
    He asked a question that nobody could answer.
    The price of petrol went up again.
    I will meet you outside the station.
    The old man walked slowly up the hill.
    She opened the window to let in some air.
    The bank is closed on public holidays.
    Do you know the way to the airport?
    The soup needs a little more salt.
    They built a house by the sea.
    The students wrote their names on the board.
    Nobody was at home when we arrived.
    He plays the guitar in the evenings.
    The bus was late because of the traffic.
    I read the whole book in one day.
    The flowers in the garden are yellow and red.
    Please speak a little more slowly.
    The company opened a new office in the south.
    She likes to walk along the beach.
    The police found the missing car.
    We waited for more than an hour.
    Thank you very much for your help.
  `,
  hi: `
    आज मौसम बहुत अच्छा है
    मुझे एक गिलास पानी चाहिए
    वह रोज़ सुबह दौड़ने जाता है
    बच्चे मैदान में खेल रहे हैं
    आपका नाम क्या है
    मैं कल दिल्ली जा रहा हूँ
    यह किताब बहुत अच्छी है
    माँ रसोई में खाना बना रही है
    हमें समय पर पहुँचना चाहिए
    उसने मुझे एक पत्र लिखा
    गाड़ी स्टेशन पर खड़ी है
    मेरे पिता किसान हैं
    बाज़ार में बहुत भीड़ थी
    कृपया दरवाज़ा बंद कर दीजिए
    वह बहुत मेहनत करता है
    हम लोग शाम को मिलेंगे
    नदी का पानी साफ़ है
    मुझे हिंदी में बात करना पसंद है
    दुकान दस बजे खुलती है
    उसकी आवाज़ बहुत मीठी है
    आप कहाँ रहते हैं
    बारिश के बाद आसमान साफ़ हो गया
    शिक्षक ने बच्चों को कहानी सुनाई
    मेरी बहन डॉक्टर है
    यह रास्ता गाँव तक जाता है
    हमने मिलकर काम पूरा किया
    चाय में चीनी कम है
    वह चुपचाप बैठा रहा
    मुझे आपकी मदद चाहिए
    पेड़ पर एक चिड़िया बैठी है
    कल छुट्टी है इसलिए हम घूमने जाएँगे
    उसने सच बोलने का फ़ैसला किया
    फल खाना सेहत के लिए अच्छा है
    मैंने उसे बहुत दिनों से नहीं देखा
    सूरज पूरब से निकलता है
    किसान खेत में काम कर रहा है
    यह मेरी सबसे पुरानी तस्वीर है
    आज रात को चाँद बहुत सुंदर है
    हमारे घर के पास एक बगीचा है
    वह अपने दोस्त के साथ आया
    मुझे नींद आ रही है
    सब लोग खुश थे
    उसने दरवाज़ा खोला और बाहर देखा
    हम बस से यात्रा करेंगे
    मेरा भाई मुझसे छोटा है
    खाना तैयार है आप बैठ जाइए
    सरकार ने नई योजना शुरू की है
    वह अच्छा गाना गाती है
    थोड़ी देर बाद फिर कोशिश कीजिए
    आपसे मिलकर बहुत खुशी हुई
  `,
  ta: `
    இன்று வானிலை நன்றாக இருக்கிறது
    எனக்கு ஒரு கோப்பை தண்ணீர் வேண்டும்
    உங்கள் பெயர் என்ன
    நான் நாளை சென்னைக்கு போகிறேன்
    குழந்தைகள் தோட்டத்தில் விளையாடுகிறார்கள்
    அம்மா சமையல் செய்கிறார்
    இந்த புத்தகம் மிகவும் நல்லது
    அவர் தினமும் காலையில் நடக்கிறார்
    கடை பத்து மணிக்கு திறக்கும்
    என் தந்தை ஒரு விவசாயி
    நாம் சரியான நேரத்தில் போக வேண்டும்
    அவள் எனக்கு ஒரு கடிதம் எழுதினாள்
    ரயில் நிலையத்தில் நிற்கிறது
    கதவை மூடுங்கள்
    அவர் கடினமாக உழைக்கிறார்
    மாலையில் நாம் சந்திப்போம்
    ஆற்றில் தண்ணீர் தெளிவாக இருக்கிறது
    எனக்கு தமிழ் பேச பிடிக்கும்
    நீங்கள் எங்கே வசிக்கிறீர்கள்
    மழைக்கு பிறகு வானம் தெளிந்தது
    ஆசிரியர் ஒரு கதை சொன்னார்
    என் சகோதரி ஒரு மருத்துவர்
    இந்த பாதை கிராமத்திற்கு செல்கிறது
    நாங்கள் வேலையை முடித்தோம்
    தேநீரில் சர்க்கரை குறைவாக இருக்கிறது
    அவன் அமைதியாக உட்கார்ந்தான்
    எனக்கு உங்கள் உதவி தேவை
    மரத்தில் ஒரு பறவை இருக்கிறது
    நாளை விடுமுறை
    அவர் உண்மையை சொன்னார்
    பழங்கள் உடலுக்கு நல்லது
    நான் அவரை நீண்ட நாட்களாக பார்க்கவில்லை
    சூரியன் கிழக்கில் உதிக்கிறது
    விவசாயி வயலில் வேலை செய்கிறார்
    இது என் பழைய புகைப்படம்
    இன்று இரவு நிலா அழகாக இருக்கிறது
    எங்கள் வீட்டின் அருகில் ஒரு பூங்கா உள்ளது
    அவர் தன் நண்பருடன் வந்தார்
    எனக்கு தூக்கம் வருகிறது
    எல்லோரும் மகிழ்ச்சியாக இருந்தார்கள்
    அவள் கதவை திறந்து வெளியே பார்த்தாள்
    நாங்கள் பேருந்தில் பயணம் செய்வோம்
    என் தம்பி என்னை விட சிறியவன்
    சாப்பாடு தயாராக இருக்கிறது
    அரசு புதிய திட்டத்தை தொடங்கியது
    அவள் நன்றாக பாடுகிறாள்
    சிறிது நேரம் கழித்து முயற்சி செய்யுங்கள்
    உங்களை சந்தித்ததில் மகிழ்ச்சி
    சந்தையில் கூட்டம் அதிகமாக இருந்தது
    மிக்க நன்றி
  `,
}

/** Fifty everyday sentences a language, without digits: what a recogniser writes is compared word by word. */
export const sentences = {
  en: lines(written.en),
  hi: lines(written.hi),
  ta: lines(written.ta),
} as const

function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
}

